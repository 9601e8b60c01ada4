import type { Plugin } from '@knowhow/shared/skills/plugins';
import { Notifications } from '@mantine/notifications';
import { configure, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { refusal, renderWithServer, type SentRequest } from '../../testing/render-with-server.tsx';
import { PluginList } from './plugin-list.tsx';

configure({ asyncUtilTimeout: 8000 });

const office: Plugin = {
  ...{ id: 'office', name: 'Office', enabled: true, trusted: false },
  skills: [
    { name: 'letters', wantsEverywhere: true, isEverywhere: false },
    { name: 'minutes', wantsEverywhere: false, isEverywhere: false },
  ],
  left: [{ what: 'hooks', why: 'hook' }],
};
const broken: Plugin = {
  ...{ id: 'broken', name: 'broken', enabled: true, trusted: false, skills: [], left: [] },
  fault: 'plugin.json is not valid JSON.',
};

const { fault: _, ...empty }: Plugin = { ...broken, id: 'empty', name: 'empty' };

/** A stateful fake server. */
function show(answers: Record<string, unknown> = {}) {
  let plugins = [broken, office, empty];
  const writes = renderWithServer(
    <>
      <PluginList />
      <Notifications />
    </>,
    {
      'GET /api/admin/plugins': () => ({ plugins }),
      'PATCH /api/admin/plugins/office': ({ body }: SentRequest) => {
        const { everywhere, ...decided } = body as { everywhere?: true };
        const skills = office.skills.map((skill) => ({
          ...skill,
          isEverywhere: everywhere === true && skill.wantsEverywhere,
        }));
        plugins = plugins.map((each) =>
          each.id === 'office' ? { ...each, ...decided, skills } : each,
        );
        return plugins[1];
      },
      'DELETE /api/admin/plugins/office': () => {
        plugins = [broken, empty];
        return { id: 'office' };
      },
      ...answers,
    },
  );
  return { writes, user: userEvent.setup() };
}

const card = async (name = 'Office') => within(await screen.findByRole('region', { name }));

describe('the page of plugins', () => {
  it('shows the contents of each plugin, whether it is trusted, and the parts without effect', async () => {
    const { user } = show();
    const plugin = await card();
    expect(plugin.getByText('Not trusted')).toBeTruthy();
    const skills = within(plugin.getByRole('list', { name: 'Skills of Office' }));
    expect(skills.getByRole('link', { name: 'letters' }).getAttribute('href')).toBe(
      '/admin/skills/letters',
    );
    await user.click(plugin.getByRole('button', { name: '1 part has no effect here' }));
    expect(plugin.getByText('hooks')).toBeTruthy();
    const other = await card('broken');
    expect(other.getByText(/plugin\.json is not valid JSON/)).toBeTruthy();
    const empty = await card('empty');
    expect(empty.getByText('Broken')).toBeTruthy();
    expect(empty.getByRole('link', { name: 'Show errors' })).toBeTruthy();
  });

  it('switches a plugin off and on with its skills', async () => {
    const { writes, user } = show();
    const box = () =>
      screen.findAllByRole<HTMLInputElement>('switch', { name: 'Enable its skills' });
    await user.click((await box())[1] as HTMLElement);
    expect(await screen.findByText('Skills of “Office” are off.')).toBeTruthy();
    expect((await box())[1]?.checked).toBe(false);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(writes.map(({ body }) => body)).toEqual([{ enabled: false }, { enabled: true }]),
    );
  });

  it('marks a plugin as trusted', async () => {
    const { user } = show();
    const plugin = await card();
    await user.click(plugin.getByRole('switch', { name: 'Trusted' }));
    expect(await screen.findByText('“Office” is trusted.')).toBeTruthy();
    expect(plugin.queryByText('Not trusted')).toBeNull();
  });

  it('offers requested skills in every app after an admin agrees', async () => {
    const { writes, user } = show();
    const plugin = await card();
    expect(plugin.getByText('Requests to be offered in every app: letters.')).toBeTruthy();
    await user.click(plugin.getByRole('button', { name: 'Offer in every app' }));
    expect(await plugin.findByText(/^You have agreed/)).toBeTruthy();
    expect(plugin.queryByRole('button', { name: 'Offer in every app' })).toBeNull();
    expect(writes).toMatchObject([{ body: { everywhere: true } }]);
  });

  it('names what a deletion removes, and deletes after the name is typed', async () => {
    const { writes, user } = show();
    await user.click((await card()).getByRole('button', { name: 'Delete Office' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('contents/plugins/office').tagName).toBe('CODE');
    expect(dialog.getByText('2 skills: letters and minutes')).toBeTruthy();
    const button = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete plugin' });
    expect(button.disabled).toBe(true);
    await user.type(dialog.getByRole('textbox'), 'office');
    await user.click(button);
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Office' })).toBeNull());
    expect(writes.map(({ line }) => line)).toEqual(['DELETE /api/admin/plugins/office']);
  });

  it('explains why a change failed, and shows the actual state', async () => {
    const { user } = show({
      'PATCH /api/admin/plugins/office': () => refusal(500, 'not-writable'),
    });
    const box = (await card()).getByRole<HTMLInputElement>('switch', { name: 'Trusted' });
    await user.click(box);
    expect(await screen.findByText('No.')).toBeTruthy();
    await waitFor(() => expect(box.checked).toBe(false));
  });

  it('explains how to add a plugin if there are none', async () => {
    show({ 'GET /api/admin/plugins': { plugins: [] } });
    expect(await screen.findByText('No plugins yet')).toBeTruthy();
    expect(screen.getByText('contents/plugins').tagName).toBe('CODE');
  });
});
