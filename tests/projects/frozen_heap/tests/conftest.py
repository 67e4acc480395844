import gc


def pytest_collection_finish(session):
    # Some large suites do this to be faster: the collector leaves alone what is there by now.
    gc.collect()
    gc.freeze()
