import { screen, waitFor } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { adminSkill } from '../../../testing/admin-skill.ts';
import { refusal, renderWithServer } from '../../../testing/render-with-server.tsx';
import { uploadsByFetch } from '../../../testing/uploads-by-fetch.ts';
import { NewSkillForm } from './new-skill-form.tsx';

const check = (fields: object) => ({ name: 'minutes', free: true, valid: false, ...fields });

function show(answers: Record<string, unknown> = {}) {
  const onCreated = vi.fn();
  uploadsByFetch();
  const writes = renderWithServer(<NewSkillForm onCreated={onCreated} />, {
    'GET /api/admin/skills/check-name': check({}),
    'POST /api/admin/skills/validate': { format: 'skill.md', skills: [], leftOut: [] },
    'POST /api/admin/skills': adminSkill({ name: 'minutes' }),
    ...answers,
  });
  return {
    onCreated,
    user: userEvent.setup(),
    creations: () => writes.filter(({ line }) => line === 'POST /api/admin/skills'),
  };
}

const title = () => screen.getByLabelText('Title');
const name = () => screen.getByLabelText<HTMLInputElement>('Name');
const description = () => screen.getByLabelText<HTMLTextAreaElement>('Description');

async function fill(user: UserEvent, field: HTMLElement, text: string) {
  await user.click(field);
  await user.paste(text);
}

describe('a new skill', () => {
  it('derives its name from its title, and shows whether it is available', async () => {
    const { user } = show();
    await user.type(title(), 'Minutes!');
    await waitFor(() => expect(name().value).toBe('minutes'));
    expect(await screen.findByText('This name is available.')).toBeTruthy();
  });

  it('explains why a name is invalid', async () => {
    const message = 'A skill named "minutes" already exists (local:minutes).';
    const { user } = show({
      'GET /api/admin/skills/check-name': check({ free: false, valid: true, message }),
    });
    await fill(user, title(), 'Minutes');
    expect(await screen.findByText(message)).toBeTruthy();
  });

  it('keeps a typed name, and suggests the nearest valid one', async () => {
    const { user } = show();
    await fill(user, name(), 'My Minutes');
    expect(await screen.findByText(/Try “minutes”/)).toBeTruthy();
    await fill(user, title(), 'Something else');
    expect(name().value).toBe('My Minutes');
  });

  it('is created with Ctrl Enter, even before the name check has finished', async () => {
    const { user, onCreated, creations } = show();
    await fill(user, description(), ' Turns notes into minutes. ');
    await fill(user, title(), 'Minutes');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(onCreated).toHaveBeenCalledOnce());
    expect(creations()).toHaveLength(1);
    expect(creations()[0]?.body).toMatchObject({
      name: 'minutes',
      description: 'Turns notes into minutes.',
      body: expect.stringMatching(/^# Minutes\n/),
    });
    expect(sessionStorage.getItem('knowhow-draft:new-skill')).toBeNull();
  });

  it('shows missing fields before anything is sent', async () => {
    const { user, creations } = show();
    await fill(user, title(), 'Minutes');
    await user.click(screen.getByRole('button', { name: 'Create skill' }));
    expect(description().getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(description());
    expect(creations()).toEqual([]);
  });

  it('is sent with its labels, but not with an invalid tag', async () => {
    const { user, onCreated, creations } = show();
    await fill(user, title(), 'Minutes');
    await fill(user, description(), 'Turns notes into minutes.');
    await fill(user, screen.getByLabelText('Version'), '1.0');
    await fill(user, screen.getByLabelText('Required tools'), 'shell, browser');
    await fill(user, screen.getByLabelText('Compatibility'), 'Needs Python.');
    const tags = screen.getByLabelText<HTMLInputElement>('Tags');
    await fill(user, tags, 'Team Notes, C++');
    expect(screen.getByText(/“c\+\+” is not a valid tag/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Create skill' }));
    expect(document.activeElement).toBe(tags);
    expect(creations()).toEqual([]);

    await user.clear(tags);
    await fill(user, tags, 'Team Notes, cpp');
    await user.click(screen.getByRole('button', { name: 'Create skill' }));
    await waitFor(() => expect(onCreated).toHaveBeenCalledOnce());
    expect(creations()[0]?.body).toMatchObject({
      displayName: 'Minutes',
      compatibility: 'Needs Python.',
      metadata: { tags: 'team-notes, cpp', version: '1.0', 'requires-tools': 'shell, browser' },
    });
  });

  it('keeps all input after a refusal, with the reason at its field', async () => {
    const { user, onCreated } = show({
      'POST /api/admin/skills': () => refusal(409, 'name-taken'),
    });
    await fill(user, title(), 'Minutes');
    await fill(user, description(), 'Turns notes into minutes.');
    await user.click(screen.getByRole('button', { name: 'Create skill' }));
    await waitFor(() => expect(name().getAttribute('aria-invalid')).toBe('true'));
    expect(screen.getByText('This name is already taken. Choose another one.')).toBeTruthy();
    expect(description().value).toBe('Turns notes into minutes.');
    expect(onCreated).not.toHaveBeenCalled();
  });

  it('uploads its files after creation, and can continue without a rejected one', async () => {
    const { user, onCreated } = show({
      'PUT /api/admin/skills/minutes/files/references/a.md': adminSkill({ name: 'minutes' }),
      'PUT /api/admin/skills/minutes/files/references/b.md': () => refusal(413, 'too-large'),
    });
    await fill(user, title(), 'Minutes');
    await fill(user, description(), 'Turns notes into minutes.');
    await user.click(screen.getByText('With files'));
    const chooser = document.querySelector<HTMLInputElement>('input[type=file]');
    expect(chooser).not.toBeNull();
    const files = [new File(['a'], 'a.md'), new File(['b'], 'b.md')];
    await user.upload(chooser as HTMLInputElement, files);
    await user.click(screen.getByRole('button', { name: 'Create skill' }));
    expect(await screen.findByText(/1 file was not uploaded: references\/b\.md/)).toBeTruthy();
    expect(onCreated).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Continue without files' }));
    await waitFor(() => expect(onCreated).toHaveBeenCalledOnce());
  });
});
