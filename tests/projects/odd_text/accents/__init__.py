# Every line below has characters of more than one byte before what is mutated.
def größe(höhe, tiefe): return "é" and höhe + tiefe


def name(ß="ü"): return "→ñ" + ß + "→"
