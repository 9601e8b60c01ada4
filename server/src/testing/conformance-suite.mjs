// Runs scenarios of the MCP conformance suite sequentially in one process, since loading the suite
// takes longer than most scenarios. A message contains command arguments; the reply is the output
// and exit code.
import './add-glob-sync.mjs';
import { fileURLToPath } from 'node:url';

const suite = import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js');
class Exit extends Error {}

let output = '';
let exit = () => {};
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (text) => {
    output += text;
    return true;
  };
}
// The suite expects this call not to return.
process.exit = (code) => {
  exit(code);
  throw new Exit();
};
process.on('unhandledRejection', (reason) => {
  if (!(reason instanceof Exit)) {
    throw reason;
  }
});

let runs = 0;
process.on('message', async (args) => {
  runs += 1;
  output = '';
  process.argv = [process.execPath, fileURLToPath(suite), ...args];
  const ended = new Promise((resolve) => {
    exit = resolve;
  });
  // It reads its arguments on import.
  await import(`${suite}?run=${runs}`);
  process.send({ code: await ended, output });
});
