import { configure, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { adminTool, adminToolSource } from '../../../testing/admin-tool.ts';
import { renderWithServer, type SentRequest } from '../../../testing/render-with-server.tsx';
import { GroupItem } from '../groups/group-item.tsx';
import type { Config } from '../items/config-value.ts';
import { AppItem } from './app-item.tsx';

configure({ asyncUtilTimeout: 8000 });

// Required by autosizing fields, and missing in jsdom.
Object.assign(document, { fonts: new EventTarget() });

const items = (...configs: Config[]) => ({ items: configs.map(itemOf), total: configs.length });
function itemOf(config: Config) {
  return { id: String(config.id), path: 'x.json', config, text: '', checksum: 'first' };
}

const pay = adminTool({ id: 'office/pay', name: 'office__pay', title: 'Pay' });
const sources = [adminToolSource({ tools: [adminTool(), pay] })];
const facets = {
  ...{
    statuses: { on: 0, off: 0, blocked: 0, broken: 0, shadowed: 0 },
    problems: { errors: 0, warnings: 0 },
    sources: [],
    categories: [],
    tags: [],
  },
  tools: [],
};

/** Renders the page of an app or a group; returns what is saved. */
function show(kind: 'apps' | 'groups', config: Config): Config[] {
  const written: Config[] = [];
  const Item = kind === 'apps' ? AppItem : GroupItem;
  renderWithServer(<Item id="it" />, {
    'GET /api/admin/apps': items(),
    'GET /api/admin/groups': items(),
    'GET /api/admin/models': items(),
    'GET /api/admin/prompts': items(),
    'GET /api/admin/users': { items: [], total: 0 },
    'GET /api/admin/skills': { items: [], total: 0, facets, foldersLeftOut: 0 },
    'GET /api/admin/tools': { sources },
    [`GET /api/admin/${kind}/it`]: itemOf({ id: 'it', name: 'It', ...config }),
    [`PUT /api/admin/${kind}/it`]: ({ body }: SentRequest) => {
      written.push(body as Config);
      return itemOf(body as Config);
    },
  });
  return written;
}

it('an app offers no tool, a source, one tool, or all, and explains the choice', async () => {
  const written = show('apps', { tools: ['gone'] });
  const user = userEvent.setup();
  expect(await screen.findByText('gone (does not exist)')).toBeTruthy();
  expect(screen.getByText(/^Only these\. A source includes all/)).toBeTruthy();
  const field = screen.getByRole('combobox', { name: 'Tools' });
  await user.click(field);
  await user.click(await screen.findByRole('option', { name: 'All of Office', hidden: true }));
  await user.type(field, 'pay');
  await user.click(await screen.findByRole('option', { name: 'Pay (office/pay)', hidden: true }));
  await user.keyboard('{Control>}s{/Control}');
  await waitFor(() => expect(written).toMatchObject([{ tools: ['gone', 'office', 'office/pay'] }]));
  await user.click(await screen.findByLabelText(/^All tools/));
  expect(screen.getByText(/^Every tool of every source/)).toBeTruthy();
  await user.keyboard('{Control>}s{/Control}');
  await waitFor(() => expect(written[1]?.tools).toContain('*'));
});

it('an app without a list of tools offers none', async () => {
  show('apps', {});
  expect(await screen.findByText('This app offers no tools.')).toBeTruthy();
});

it('a group grants tools', async () => {
  const written = show('groups', {});
  const user = userEvent.setup();
  await user.click(await screen.findByRole('combobox', { name: 'Tools' }));
  await user.click(await screen.findByRole('option', { name: 'All of Office', hidden: true }));
  await user.keyboard('{Control>}s{/Control}');
  await waitFor(() => expect(written).toMatchObject([{ permissions: { tools: ['office'] } }]));
});
