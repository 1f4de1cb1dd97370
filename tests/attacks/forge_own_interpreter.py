import json
import os

received = b""
reply = {"printed": "", "failed": None}
number = 1
while True:
    os.write(3, json.dumps({"id": number, **reply}).encode() + b"\n")
    while not received.endswith(b"\n"):
        received += os.read(3, 65536) or os._exit(0)
    request, received = json.loads(received), b""
    number = request["id"]
    reply = {"reads": [{"f": "0x1.0000000000000p+0"} for _ in request.get("reads", [])], "printed": "", "failed": None}
