"""llama.cpp's own server, as the peer: built from the source that compare_llama_cpp.py's package brings, started on a
free port, ended by its id. The package's wheel has no server in it, its source distribution does."""
import pathlib
import socket
import subprocess
import sys
import tarfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "build" / "llama.cpp"
PACKAGE, VERSION = "llama-cpp-python", "0.3.36"
OPTIONS = ["-DCMAKE_BUILD_TYPE=Release", "-DGGML_NATIVE=ON", "-DBUILD_SHARED_LIBS=OFF", "-DLLAMA_BUILD_TESTS=OFF",
           "-DLLAMA_BUILD_EXAMPLES=OFF", "-DLLAMA_BUILD_APP=OFF", "-DLLAMA_USE_PREBUILT_UI=OFF", "-DLLAMA_OPENSSL=OFF"]
READY_SECONDS, END_SECONDS = 120, 10


def build():
    """The path of the server. The first time it takes a quarter of an hour; an interrupted build goes on."""
    binary = FOLDER / "cmake" / "bin" / "llama-server"
    if binary.is_file():
        return binary
    stem = f"{PACKAGE.replace('-', '_')}-{VERSION}"
    archive = FOLDER / f"{stem}.tar.gz"
    FOLDER.mkdir(parents=True, exist_ok=True)
    if not archive.is_file():
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--disable-pip-version-check",
                        f"--no-binary={PACKAGE}", "--dest", str(FOLDER), f"{PACKAGE}=={VERSION}"], check=True)
    source = FOLDER / stem / "vendor" / "llama.cpp"
    if not (source / "CMakeLists.txt").is_file():
        with tarfile.open(archive) as files:
            files.extractall(FOLDER)
    cmake = str(FOLDER / "cmake")
    subprocess.run(["cmake", "-S", str(source), "-B", cmake, "-G", "Ninja", *OPTIONS], check=True)
    subprocess.run(["cmake", "--build", cmake, "--target", "llama-server"], check=True)
    return binary


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class LlamaServer:
    """Runs from construction to close(). Raises RuntimeError, with the end of its log, when it does not get ready."""

    def __init__(self, binary, model, threads):
        port = free_port()
        self.url = f"http://127.0.0.1:{port}/v1"
        FOLDER.mkdir(parents=True, exist_ok=True)
        self.log = FOLDER / "server.log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen([str(binary), "--host", "127.0.0.1", "--port", str(port), "--jinja",
                                             "--model", str(model), "--ctx-size", "8192", "--parallel", "1",
                                             "--threads", str(threads)], stdout=log, stderr=subprocess.STDOUT)
        try:
            self.wait_until_ready(f"http://127.0.0.1:{port}/health")
        except BaseException:
            self.close()
            raise

    def wait_until_ready(self, health):
        end = time.monotonic() + READY_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            try:
                with urllib.request.urlopen(health, timeout=5) as answer:
                    if answer.status == 200:
                        return
            except (urllib.error.URLError, OSError):
                time.sleep(0.2)  # not listening yet, or 503 while it loads
        raise RuntimeError("llama-server did not get ready:\n" + self.log.read_text(errors="replace")[-2000:])

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
