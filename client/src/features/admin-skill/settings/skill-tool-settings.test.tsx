import type { SkillToolSettings as ToolSettings } from '@knowhow/shared/skills/skill-tool-settings';
import { Notifications } from '@mantine/notifications';
import { configure, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { adminSkill } from '../../../testing/admin-skill.ts';
import { refusal, renderWithServer } from '../../../testing/render-with-server.tsx';
import { SkillToolSettings } from './skill-tool-settings.tsx';

configure({ asyncUtilTimeout: 8000 });

const key = { name: 'API_KEY', hint: 'Your key', required: true, secret: true };
const units = { name: 'UNITS', required: false, secret: false, default: 'metric' };
const nothingYet: ToolSettings = {
  ...{ runsCode: true, hosts: [] },
  settings: [
    { ...key, isSet: false, inFile: false },
    { ...units, isSet: false, inFile: false },
  ],
};
const entered: ToolSettings = {
  ...{ runsCode: true, hosts: ['api.example.org'] },
  settings: [
    { ...key, isSet: true, inFile: false },
    { ...units, isSet: true, inFile: false, value: 'imperial' },
  ],
};

function show(saved: ToolSettings, answer: unknown = entered) {
  const skill = adminSkill({ metadata: { tool: 'assets/tool.json' } });
  const writes = renderWithServer(
    <>
      <SkillToolSettings skill={skill} />
      <Notifications />
    </>,
    {
      'GET /api/admin/skills/pdf/tool-settings': saved,
      'PUT /api/admin/skills/pdf/tool-settings': answer,
    },
  );
  return { writes, user: userEvent.setup() };
}

const secret = () => screen.findByLabelText<HTMLInputElement>(/^API_KEY/);
const hosts = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Allowed hosts' });
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save settings' });

describe('the settings of a plugin', () => {
  it('are labelled by the plugin, and show required values', async () => {
    show(nothingYet);
    expect((await secret()).type).toBe('password');
    expect(screen.getByText(/^Your key/)).toBeTruthy();
    expect(screen.getByText('Required by the plugin.')).toBeTruthy();
    expect(screen.getByRole('textbox', { name: 'UNITS' })).toHaveProperty('placeholder', 'metric');
    expect(save().disabled).toBe(true);
  });

  it('are saved together with the hosts', async () => {
    const { writes, user } = show(nothingYet);
    await user.type(await secret(), 'k-1');
    await user.type(screen.getByRole('textbox', { name: 'UNITS' }), 'imperial');
    await user.type(await hosts(), 'https://api.example.org/v1');
    await user.click(save());
    expect(await screen.findByText('Settings saved.')).toBeTruthy();
    expect(writes.map(({ body }) => body)).toEqual([
      { settings: { API_KEY: 'k-1', UNITS: 'imperial' }, hosts: ['api.example.org'] },
    ]);
    await waitFor(async () => expect((await secret()).value).toBe(''));
  });

  it('show only whether a secret is set, and can delete it', async () => {
    const { writes, user } = show(entered);
    const field = await secret();
    expect([field.value, field.placeholder]).toEqual(['', 'Set. Enter a new value to replace it.']);
    expect(screen.getByRole('textbox', { name: 'UNITS' })).toHaveProperty('value', 'imperial');
    await user.click(screen.getByRole('button', { name: 'Delete API_KEY' }));
    await user.clear(screen.getByRole('textbox', { name: 'UNITS' }));
    await user.click(save());
    await waitFor(() =>
      expect(writes).toMatchObject([{ body: { settings: { API_KEY: null, UNITS: null } } }]),
    );
  });

  it('warn about an unencrypted secret in the file', async () => {
    show({ ...entered, settings: [{ ...key, isSet: true, inFile: true }] });
    expect(await screen.findByText(/Stored unencrypted in config\/skills\.json/)).toBeTruthy();
  });

  it('reject invalid hosts', async () => {
    const { user } = show(nothingYet);
    await user.type(await hosts(), 'two words');
    expect(screen.getByText('Invalid hosts: two words')).toBeTruthy();
    expect(save().disabled).toBe(true);
  });

  it('keep the input after a conflict', async () => {
    const { user } = show(nothingYet, () => refusal(412, 'changed-meanwhile'));
    await user.type(await secret(), 'k-1');
    await user.click(save());
    expect(await screen.findByText('Someone else has changed this in the meantime.')).toBeTruthy();
    expect((await secret()).value).toBe('k-1');
  });

  it('are not shown if the tool runs no code', async () => {
    show({ runsCode: false, hosts: [], settings: [] });
    await waitFor(() => expect(screen.queryByRole('heading')).toBeNull());
  });
});
