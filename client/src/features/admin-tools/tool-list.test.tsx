import type { AdminToolSource } from '@knowhow/shared/config/admin-tools';
import { Notifications } from '@mantine/notifications';
import { configure, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { adminTool, adminToolSource } from '../../testing/admin-tool.ts';
import { refusal, renderWithServer, type SentRequest } from '../../testing/render-with-server.tsx';
import { noRunner } from '../../testing/runner-facts.ts';
import { ToolList } from './tool-list.tsx';

configure({ asyncUtilTimeout: 8000 });

const weather = adminTool();
const pay = adminTool({
  ...{ id: 'office/pay', name: 'office__pay', title: 'Pay', description: 'Pays a bill.' },
  hints: { readOnly: false, destructive: true, openWorld: false },
  ...{ consent: 'never', groups: [], enabled: false },
});
const office = adminToolSource({ tools: [weather, pay] });
const memory = adminToolSource({
  ...{ id: 'memory', title: 'Memory', status: 'failed', since: '2026-03-01T10:00:00.000Z' },
  message: 'The command "npx" is not there.',
  tools: [
    adminTool({ id: 'memory/read', name: 'memory__read', title: 'Read', changed: true }),
    adminTool({ id: 'memory/bad', name: 'memory__bad', title: 'Bad', fault: 'No schema.' }),
  ],
});

function show(sources: AdminToolSource[], answers: Record<string, unknown> = {}) {
  const page = (
    <>
      <Notifications />
      <ToolList />
    </>
  );
  return renderWithServer(page, {
    'GET /api/admin/tools': { sources },
    'GET /api/admin/runner': noRunner,
    ...answers,
  });
}

const rowOf = async (table: string, name: RegExp | string) =>
  within(
    await within(await screen.findByRole('table', { name: table })).findByRole('row', { name }),
  );
const toolNames = () =>
  within(screen.getByRole('table', { name: 'Tools' }))
    .getAllByRole('link')
    .map((link) => link.textContent);

describe('the page of tools', () => {
  it('shows the sources with their status', async () => {
    show([office, memory]);
    const ready = await rowOf('Sources', /^Office/);
    expect(ready.getByText('Ready')).toBeTruthy();
    expect(ready.getByText('office').parentElement?.textContent).toBe('MCP server · office');
    const failed = await rowOf('Sources', /^Memory/);
    expect(failed.getByText('Failed')).toBeTruthy();
    expect(failed.getByText('The command "npx" is not there.')).toBeTruthy();
  });

  it('shows for each tool its behaviour, users, approval and errors', async () => {
    show([office, memory]);
    const first = await rowOf('Tools', /^Weather/);
    for (const text of [
      'office__weather',
      'Says how the weather is in a city.',
      'Read-only, external access',
      '1 group · 1 app',
      'Yes',
      'On',
    ]) {
      expect(first.getByText(text)).toBeTruthy();
    }
    const second = await rowOf('Tools', /^Pay/);
    for (const text of ['Destructive', 'Not in use yet', 'No', 'Off']) {
      expect(second.getByText(text)).toBeTruthy();
    }
    expect((await rowOf('Tools', /^Read/)).getByText('Changed: review')).toBeTruthy();
    expect((await rowOf('Tools', /^Bad/)).getByText('Not usable')).toBeTruthy();
  });

  it('switches a source and a tool, with undo', async () => {
    const user = userEvent.setup();
    const writes = show([office], {
      'PUT /api/admin/tool-sources/office': ({ body }: SentRequest) => ({
        ...office,
        ...(body as object),
      }),
      'PUT /api/admin/tools/office__pay': ({ body }: SentRequest) => ({
        ...pay,
        ...(body as object),
      }),
    });
    await user.click(await screen.findByRole('switch', { name: 'Enable Pay' }));
    // A toast from another page may still be visible.
    const toast = (await screen.findByText('Pay is on.')).closest<HTMLElement>('[role=alert]');
    await user.click(within(toast as HTMLElement).getByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(writes.map(({ body }) => body)).toEqual([{ enabled: true }, { enabled: false }]),
    );
    await user.click(screen.getByRole('switch', { name: 'Enable the tools of Office' }));
    expect((await rowOf('Tools', /^Weather/)).getByText('Source is off')).toBeTruthy();
  });

  it('explains why a switch failed, and reverts it', async () => {
    show([office], { 'PUT /api/admin/tools/office__pay': () => refusal(500, 'not-writable') });
    const box = await screen.findByRole<HTMLInputElement>('switch', { name: 'Enable Pay' });
    await userEvent.click(box);
    expect(await screen.findByText('No.')).toBeTruthy();
    await waitFor(() => expect(box.checked).toBe(false));
  });

  it('reconnects to a source on request', async () => {
    show([office, memory], {
      'POST /api/admin/tool-sources/memory/connect': { ...memory, status: 'ready', message: '' },
    });
    const name = 'Reconnect to Memory';
    await userEvent.click(await screen.findByRole('button', { name }));
    expect((await rowOf('Sources', /^Memory/)).getByText('Ready')).toBeTruthy();
    expect(screen.queryByRole('button', { name })).toBeNull();
  });

  it('filters by words, source and status', async () => {
    const user = userEvent.setup();
    show([office, memory]);
    await screen.findByRole('table', { name: 'Tools' });
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'changed');
    expect(toolNames()).toEqual(['Read']);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), '');
    await user.click(screen.getByRole('button', { name: 'Office' }));
    expect(toolNames()).toEqual(['Weather', 'Pay']);
    await user.type(screen.getByRole('searchbox', { name: 'Search tools' }), 'bill pay');
    await waitFor(() => expect(toolNames()).toEqual(['Pay']));
    await user.type(screen.getByRole('searchbox', { name: 'Search tools' }), ' x');
    await user.click(await screen.findByRole('button', { name: 'Show all tools' }));
    expect(toolNames()).toHaveLength(4);
  });

  it('paginates 500 tools', async () => {
    const tools = Array.from({ length: 500 }, (_, number) =>
      adminTool({ id: `office/t${number}`, name: `office__t${number}`, title: `Tool ${number}` }),
    );
    show([adminToolSource({ tools })]);
    await screen.findByRole('table', { name: 'Tools' });
    expect(toolNames()).toHaveLength(50);
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    expect(toolNames()[0]).toBe('Tool 50');
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search tools' }), 'Tool 499');
    await waitFor(() => expect(toolNames()).toEqual(['Tool 499']));
  });

  it.each([
    ['there is none', []],
    ['no server has been added', [adminToolSource({ kind: 'builtin' })]],
  ])('explains how to add a source if %s', async (_, sources) => {
    show(sources);
    expect(await screen.findByText('No tool servers yet')).toBeTruthy();
    expect(screen.getAllByText('contents/config/mcp.json')[0]?.tagName).toBe('CODE');
    expect(screen.getByRole('group', { name: 'contents/config/mcp.json' })).toBeTruthy();
    expect(screen.getByText('docs/guides/mcp.md').tagName).toBe('CODE');
  });
});
