"""Training eyes on generated worlds: rendered frames with exact labels, one network, ONNX for use."""
