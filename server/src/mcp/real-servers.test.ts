import { expect, test } from 'vitest';
import { openTestHost, realServer } from '../testing/mcp-host.ts';

test('the tools of a server that is started here are there, and called', async () => {
  const host = await openTestHost({
    mcpServers: { everything: realServer('everything', 'stdio') },
  });
  const tools = await host.tools('everything');
  expect(tools.map(({ name }) => name)).toContain('echo');
  const result = await host.call('everything', 'echo', { message: 'Good morning' });
  expect(result).toMatchObject({ content: 'Echo: Good morning', isError: false });
});
