def page(found, count):
    return ""
