# -*- coding: latin-1 -*-
PLACE = "Zuerich"


def place(): return "Köln" + PLACE
