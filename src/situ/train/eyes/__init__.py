"""Training of the built-in detector on generated worlds: rendering, labels, network, ONNX export."""
