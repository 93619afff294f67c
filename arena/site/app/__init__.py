"""The site as it is served: the only door to FastAPI, Starlette and uvicorn."""
