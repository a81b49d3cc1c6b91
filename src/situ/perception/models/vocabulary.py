"""What detectors look for, and which places there are, unless the user says otherwise."""

# Things that people ask for indoors and on the street: our own choice of everyday nouns.
THINGS = (
    "person", "chair", "armchair", "sofa", "bench", "stool", "table", "desk", "bed", "pillow", "blanket",
    "cupboard", "wardrobe", "drawer", "shelf", "bookcase", "door", "window", "curtain", "mirror", "picture",
    "lamp", "clock", "rug", "radiator", "staircase", "lift", "plant", "flower pot", "vase", "basket", "box",
    "bag", "backpack", "suitcase", "handbag", "umbrella", "coat", "hat", "shoe", "towel", "laundry",
    "television", "monitor", "laptop", "keyboard", "mouse", "tablet", "phone", "remote control", "speaker",
    "headphones", "camera", "printer", "socket", "cable", "charger", "fan", "heater", "vacuum cleaner",
    "refrigerator", "freezer", "oven", "stove", "microwave", "toaster", "kettle", "coffee machine",
    "dishwasher", "washing machine", "sink", "tap", "toilet", "bathtub", "shower", "bin", "bucket", "broom",
    "cup", "mug", "glass", "bottle", "plate", "bowl", "pan", "pot", "knife", "fork", "spoon", "jar", "can",
    "tray", "fruit", "apple", "banana", "bread", "book", "notebook", "newspaper", "paper", "pen", "scissors",
    "key", "wallet", "glasses", "watch", "toy", "ball", "guitar", "piano", "bicycle", "car", "bus",
    "motorcycle", "traffic light", "street sign", "tree", "fire extinguisher", "whiteboard", "projector",
    "medicine", "toothbrush", "soap", "toilet paper", "dog", "cat",
)  # fmt: skip

PLACES = (
    "kitchen", "living room", "bedroom", "bathroom", "hallway", "dining room", "office", "meeting room",
    "staircase", "lift", "lobby", "corridor", "classroom", "library", "shop", "supermarket", "restaurant",
    "cafe", "workshop", "garage", "laundry room", "storage room", "balcony", "garden", "street", "park",
    "car park", "bus stop", "train station", "inside a car",
)  # fmt: skip
