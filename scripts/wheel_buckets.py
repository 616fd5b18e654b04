"""Serves out/demo/dataset as a web folder and as an S3 bucket, and reads both by the command and by
the loader. scripts/wheel-test.sh runs it where there is only Python and the wheel."""
import fcntl, http.server, os, re, socket, struct, subprocess, sys, threading, urllib.parse

ROOT = os.path.realpath("out/demo")
with socket.socket() as any_socket:  # nobody has switched loopback on here: SIOCSIFFLAGS, UP and RUNNING
    fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh22x", b"lo", 0x41))


class Bucket(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", size=None, **headers):
        self.send_response(status)
        for name, value in {"Content-Length": len(body) if size is None else size, **headers}.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        asked = dict(urllib.parse.parse_qsl(address.query))
        key = urllib.parse.unquote(address.path).removeprefix("/bucket").strip("/")
        if "list-type" in asked:
            found = []
            for place, _, names in os.walk(ROOT):
                found += [os.path.relpath(os.path.join(place, name), ROOT) for name in names]
            found = [k for k in sorted(found) if k.startswith(asked.get("prefix", ""))]
            rows = "".join(
                "<Contents><Key>%s</Key><Size>%d</Size><ETag>&quot;1&quot;</ETag>"
                "<LastModified>2026-01-01T00:00:00Z</LastModified></Contents>"
                % (k, os.path.getsize(os.path.join(ROOT, k))) for k in found)
            text = "<KeyCount>%d</KeyCount><IsTruncated>false</IsTruncated>%s" % (len(found), rows)
            text = "<ListBucketResult>%s</ListBucketResult>" % text
            return self.answer(200, text.encode(), Content_Type="application/xml")
        path = os.path.join(ROOT, key)
        if not os.path.isfile(path):
            return self.answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
        with open(path, "rb") as file:
            body = file.read()
        about = {"ETag": '"1"', "Last_Modified": "Thu, 01 Jan 2026 00:00:00 GMT", "Accept_Ranges": "bytes"}
        range = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if self.command == "GET" and range:
            first, last = int(range[1]), min(int(range[2] or len(body)), len(body) - 1)
            about["Content_Range"] = "bytes %d-%d/%d" % (first, last, len(body))
            return self.answer(206, body[first : last + 1], **about)
        self.answer(200, body, **about)

    do_HEAD = do_GET


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bucket)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = "http://127.0.0.1:%d" % server.server_address[1]
os.environ.update(AWS_ENDPOINT_URL_S3=address, AWS_REGION="us-east-1", HEADRACE_S3_ANONYMOUS="true")
for dataset in address + "/dataset", "s3://bucket/dataset":
    subprocess.run(["headrace", "verify", dataset], check=True)
    from headrace import Loader

    with Loader(dataset, pipeline="resize=8x8,uint8,hwc") as loader:
        count = sum(batch.size for batch in loader)
    assert count == 171, (dataset, count)
    print(dataset, "is read")
