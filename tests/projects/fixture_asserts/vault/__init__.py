class Vault:
    def __init__(self):
        self.items = []
        self.open = True

    def put(self, item):
        self.items.append(item)

    def close(self):
        self.open = False
