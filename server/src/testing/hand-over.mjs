// What the conformance suite starts as a client: hands the address of its server to the test, and ends when
// the test is done with it.
const [, , test, server] = process.argv;
await fetch(test, { method: 'POST', body: server });
