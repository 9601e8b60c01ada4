// A server of the newest protocol era, over stdio, or over HTTP on a printed port.
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const factory = () => {
  const server = new McpServer({ name: 'modern', version: '1.0.0' });
  server.registerTool(
    'add',
    {
      title: 'Add two numbers',
      description: 'Adds two numbers.',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
      annotations: { readOnlyHint: true },
    },
    async ({ a, b }) => {
      const structuredContent = { sum: a + b };
      return { content: [{ type: 'text', text: `${a + b}` }], structuredContent };
    },
  );
  server.registerTool(
    'greet',
    { description: 'Greets by name.', inputSchema: z.object({}) },
    async (_input, context) => {
      const given = context.mcpReq.inputResponses?.name;
      if (!given) {
        const requestedSchema = {
          type: 'object',
          properties: { name: { type: 'string', title: 'Your name' } },
          required: ['name'],
        };
        const params = { message: 'What are you called?', requestedSchema };
        return inputRequired({ inputRequests: { name: inputRequired.elicit(params) } });
      }
      const text = given.action === 'accept' ? `Hello ${given.content.name}.` : given.action;
      return { content: [{ type: 'text', text }] };
    },
  );
  return server;
};

if (process.argv[2] === 'stdio') {
  serveStdio(factory, { legacy: 'reject' });
} else {
  const handler = createMcpHandler(factory);
  const server = createServer(async (request, response) => {
    const hasBody = request.method === 'POST';
    const web = new Request(`http://127.0.0.1${request.url}`, {
      method: request.method,
      headers: request.headers,
      ...(hasBody ? { body: Readable.toWeb(request), duplex: 'half' } : {}),
    });
    const answer = await handler.fetch(web);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) {
      Readable.fromWeb(answer.body).pipe(response);
    } else {
      response.end();
    }
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
}
