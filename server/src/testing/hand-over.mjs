// Started by the conformance suite as its client: forwards the server's address and context to the
// test, and exits when the test is done.
import { argv, env } from 'node:process';

const [, , test, address] = argv;
// biome-ignore lint/style/noProcessEnv: the suite passes the context this way.
const context = JSON.parse(env.MCP_CONFORMANCE_CONTEXT ?? '{}');
await fetch(test, { method: 'POST', body: JSON.stringify({ address, context }) });
