"""Never becomes ready."""

import time

time.sleep(600)
