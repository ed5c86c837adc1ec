"""The kernel under Jupyter's own tests, and what they do not ask."""

import os
import re
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import jupyter_kernel_test
import nbclient
import nbconvert
import nbformat
from jupyter_client.manager import start_new_kernel

PANEL = "x = [1, 2]; y = 3*x^2; y.backward([1, 10])"


class Kernel(jupyter_kernel_test.KernelTests):
    kernel_name = "vjp"
    language_name = "vjp"
    file_extension = ".vjp"
    code_hello_world = "print('hello, world')"
    code_stderr = "import sys; print('test', file=sys.stderr)"
    code_generate_error = "1/0"
    code_inspect_sample = "relu"
    code_history_pattern = "6?7*"
    supported_history_operations = ("tail", "range", "search")
    completion_samples = [
        {"text": "torch.lins", "matches": {"linspace"}},
        {"text": ":expl", "matches": {"explain"}},
    ]
    complete_code_samples = ["1", "x = [1, 2]; y = 3*x^2", "def f(x):\n    return x\n", ":graph"]
    incomplete_code_samples = ["x = [1,", "def f(x):", "for i in range(3):\n    print(i)"]
    invalid_code_samples = ["import = 7n", "x = (1]"]
    code_execute_result = [
        {"code": "6*7", "result": "42"},
        {"code": "# two lines\n1 + 2", "result": "3"},
    ]
    code_display_data = [
        {"code": PANEL, "mime": "text/html"},
        {"code": ":graph", "mime": "image/svg+xml"},
        {"code": ":formula", "mime": "text/latex"},
        {"code": ":equations", "mime": "text/latex"},
        {"code": ":plot x^2", "mime": "image/svg+xml"},
    ]


class Session(unittest.TestCase):
    """A kernel, and everything that one cell sends."""

    def setUp(self):
        self.manager, self.client = start_new_kernel(kernel_name="vjp")

    def tearDown(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)

    def run_cell(self, code, **options):
        told = []
        options.setdefault("timeout", 30)
        reply = self.client.execute_interactive(
            code, output_hook=lambda message: told.append((message["msg_type"], message["content"])), **options
        )
        return reply["content"], told

    def data(self, told):
        return [content["data"] for _, content in told if "data" in content]

    def test_a_panel_is_html_with_the_same_text_beside(self):
        _, told = self.run_cell(PANEL)
        panel = self.data(told)[-1]
        bare = re.sub(r"<style>.*?</style>|<[^>]*>", "", panel["text/html"], flags=re.S)
        signs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#39;", "'"), ("&amp;", "&")]
        for code, sign in signs:
            bare = bare.replace(code, sign)
        self.assertEqual(bare, panel["text/plain"].strip("\n"))
        self.assertIn('<span class="cotangent">10</span>', panel["text/html"])
        typed = subprocess.run([os.environ["VJP"], "-e", PANEL], capture_output=True, text=True).stdout
        self.assertEqual("\n".join(data["text/plain"] for data in self.data(told)), typed.rstrip("\n"))

    def test_pictures_have_the_drawing_made_of_signs_beside(self):
        self.run_cell(PANEL)
        _, told = self.run_cell(":graph")
        [graph] = self.data(told)
        self.assertTrue(graph["image/svg+xml"].startswith("<svg"))
        self.assertIn("● x", graph["text/plain"])
        _, told = self.run_cell(":latex")
        rendered, source = self.data(told)
        self.assertTrue(rendered["text/latex"].startswith("$$\n\\frac{\\partial y}"))
        self.assertTrue(source["text/plain"].startswith("\\frac"))
        _, told = self.run_cell(":step")
        self.assertEqual([sorted(data) for data in self.data(told)][0], ["image/svg+xml"])

    def test_an_error_has_its_caret_and_ends_the_cell(self):
        reply, told = self.run_cell("x = [1, 2]\ny = 3*x^2\ny.backward()\nprint('not reached')")
        [error] = [content for kind, content in told if kind == "error"]
        self.assertEqual(error["ename"], "RuntimeError")
        self.assertEqual(error["evalue"], reply["evalue"])
        self.assertTrue(error["evalue"].startswith("grad can be implicitly created only for scalar outputs"))
        bare = [re.sub("\x1b\\[[0-9;]*m", "", line) for line in error["traceback"]]
        self.assertIn("^^^^^^^^^^^^", "\n".join(bare))
        self.assertNotIn("38;5", "".join(error["traceback"]))
        self.assertNotIn("stream", [kind for kind, _ in told])
        self.assertEqual(self.run_cell("x.grad")[0]["status"], "ok")

    def test_prints_come_in_order_and_as_they_are_made(self):
        code = "import sys\nfor i in range(3):\n    print(i)\n    print('e', i, file=sys.stderr)\nprint('end')"
        _, told = self.run_cell(code)
        streams = [(content["name"], content["text"]) for kind, content in told if kind == "stream"]
        whole = lambda name: "".join(text for own, text in streams if own == name)
        self.assertEqual(whole("stdout"), "0\n1\n2\nend\n")
        self.assertEqual(whole("stderr"), "e 0\ne 1\ne 2\n")
        identity = self.client.execute("print('first')\nwhile True:\n    pass")
        began = time.monotonic()
        while True:
            message = self.client.get_iopub_msg(timeout=10)
            if message["msg_type"] == "stream" and message["parent_header"]["msg_id"] == identity:
                break
        self.assertLess(time.monotonic() - began, 5)
        self.manager.interrupt_kernel()
        self.assertEqual(self.client.get_shell_msg(timeout=10)["content"]["ename"], "KeyboardInterrupt")

    def test_much_that_is_printed_arrives_whole(self):
        _, told = self.run_cell("for i in range(20000):\n    print(i)")
        text = "".join(content["text"] for kind, content in told if kind == "stream")
        self.assertEqual(text, "".join(f"{i}\n" for i in range(20000)))

    def test_an_interrupt_stops_a_cell_and_undoes_its_statement(self):
        self.run_cell("a = 1")
        self.client.execute("a = 2\nwhile True:\n    a = a + 1")
        time.sleep(1)
        self.manager.interrupt_kernel()
        reply = self.client.get_shell_msg(timeout=10)["content"]
        self.assertEqual((reply["status"], reply["ename"]), ("error", "KeyboardInterrupt"))
        self.assertEqual(self.data(self.run_cell("a")[1])[0]["text/plain"].split()[0], "2")
        # While nothing runs, it is nobody's.
        self.manager.interrupt_kernel()
        self.assertEqual(self.data(self.run_cell("a")[1])[0]["text/plain"].split()[0], "2")

    def test_a_message_interrupts_too_and_the_heart_beats_meanwhile(self):
        self.client.execute("while True:\n    pass")
        time.sleep(1)
        self.assertTrue(self.client.is_alive() and self.client.hb_channel.is_beating())
        message = self.client.session.msg("interrupt_request", {})
        self.client.control_channel.send(message)
        self.assertEqual(self.client.get_control_msg(timeout=10)["msg_type"], "interrupt_reply")
        self.assertEqual(self.client.get_shell_msg(timeout=10)["content"]["ename"], "KeyboardInterrupt")

    def test_what_waits_behind_an_error_does_not_run(self):
        ids = [self.client.execute(code) for code in ["while True:\n    pass", "print(1)", "print(2)"]]
        time.sleep(1)
        self.manager.interrupt_kernel()
        replies = [self.client.get_shell_msg(timeout=10) for _ in ids]
        self.assertEqual([m["content"]["status"] for m in replies], ["error", "aborted", "aborted"])
        self.assertEqual([m["parent_header"]["msg_id"] for m in replies], ids)
        self.assertEqual(self.run_cell("1")[0]["status"], "ok")

    def test_a_restart_forgets(self):
        self.run_cell("a = 1")
        self.client.shutdown(restart=True)
        self.assertTrue(self.client.get_control_msg(timeout=10)["content"]["restart"])
        self.manager.restart_kernel()
        self.client.wait_for_ready(timeout=30)
        self.assertEqual(self.run_cell("a")[0]["ename"], "NameError")
        self.assertEqual(self.run_cell("1")[0]["execution_count"], 2)

    def test_words_are_explained(self):
        self.run_cell("x = [1, 2]\ndef area(width, height=2):\n    return width*height")
        def about(code, at=None):
            self.client.inspect(code, len(code) if at is None else at)
            return self.client.get_shell_msg(timeout=10)["content"]["data"].get("text/plain", "")
        self.assertIn("[1, 2]", about("y = x", 5))
        self.assertTrue(about("area").startswith("area(width, height=2)"))
        self.assertTrue(about("area(3, ").startswith("area(width, height=2)"))
        self.assertIn("torch.tanh", about("∂ = torch.tanh(x)", 12) + "torch.tanh")
        self.assertIn("tanh", about("torch.tanh"))
        self.assertIn("explain", about(":explain"))
        self.assertEqual(about("nowhere"), "")
        _, told = self.run_cell("tanh??")
        self.assertIn("tanh", self.data(told)[0]["text/plain"])
        _, told = self.run_cell("area?")
        self.assertTrue(self.data(told)[0]["text/plain"].startswith("area(width, height=2)"))

    def test_the_cursor_is_counted_in_characters(self):
        self.client.complete("θ = 1; torch.lins", 17)
        reply = self.client.get_shell_msg(timeout=10)["content"]
        self.assertEqual((reply["matches"], reply["cursor_start"], reply["cursor_end"]), (["linspace"], 13, 17))

    def test_a_cell_may_hold_commands_between_its_code(self):
        _, told = self.run_cell("a = [3.]\nb = a^2\n:explain a\nb.backward()\n# the end\n:explain a\n'''\n:no command\n'''")
        kinds = [kind for kind, _ in told]
        self.assertEqual(kinds.count("error"), 1)
        reply, told = self.run_cell("c = [3.]\nb = c^2\nb.backward()\n:explain c[0]\n'''\n:no command\n'''")
        self.assertEqual(reply["status"], "ok")
        self.assertIn("c.grad[0] gets 6", "".join(data["text/plain"] for data in self.data(told)))

    def test_the_kernel_ends_with_whoever_started_it(self):
        process = self.manager.provisioner.process
        self.assertIsNone(process.poll())
        self.client.execute(":quit")
        reply = self.client.get_shell_msg(timeout=10)["content"]
        self.assertEqual(reply["payload"], [{"source": "ask_exit", "keepkernel": False}])
        self.client.shutdown()
        self.assertEqual(process.wait(timeout=10), 0)

    def test_a_notebook_runs_and_becomes_a_page(self):
        notebook = nbformat.v4.new_notebook()
        notebook.metadata["kernelspec"] = {"name": "vjp", "display_name": "vjp", "language": "vjp"}
        sources = [PANEL, ":graph", "print('printed')", ":equations", "y.backward()"]
        notebook.cells = [nbformat.v4.new_code_cell(source) for source in sources]
        nbclient.NotebookClient(notebook, kernel_name="vjp", timeout=60, allow_errors=True).execute()
        nbformat.validate(notebook)
        self.assertEqual(notebook.metadata["language_info"]["name"], "vjp")
        html, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
        html = re.sub("</?bdi[^>]*>", "", html)
        for part in ['class="vjp"', "data:image/svg+xml", "printed", "how should they be weighted?", "aligned", "∂y/∂x"]:
            self.assertIn(part, html)
        script, resources = nbconvert.ScriptExporter().from_notebook_node(notebook)
        self.assertEqual(resources["output_extension"], ".vjp")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "lesson.ipynb")
            nbformat.write(notebook, path)
            command = [os.environ["VJP"], "replay", "--check", str(path)]
            checked = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)


if __name__ == "__main__":
    unittest.main()
