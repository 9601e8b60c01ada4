import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { eventStream } from '../testing/event-stream.ts';
import { quietConversation, renderChat } from '../testing/render-chat.tsx';

const { id } = quietConversation;
const skill = (name: string) => ({
  name,
  description: `About ${name}.`,
  via: 'slash' as const,
  tokens: 100,
  checksum: 'c',
});
const activeRow = () => screen.findByRole('list', { name: 'Active skills' });
const names = (list: HTMLElement) =>
  within(list)
    .getAllByRole('listitem')
    .map((item) => item.textContent);
const field = () => screen.getByLabelText('Message');

describe('the active skills of a conversation', () => {
  it('appear above the message, each with a button to deactivate it', async () => {
    const activeSkills = [skill('meeting-notes'), skill('release-notes')];
    const ended = () => new Response(null, { status: 204 });
    const writes = renderChat(() => ({ ...quietConversation, activeSkills }), {
      [`DELETE /api/conversations/${id}/skills/meeting-notes`]: ended,
      [`DELETE /api/conversations/${id}/skills/release-notes`]: ended,
    });
    const row = await activeRow();
    expect(names(row)).toEqual(['meeting-notes', 'release-notes']);
    await userEvent.click(screen.getByRole('button', { name: 'Deactivate meeting-notes' }));
    await waitFor(() => expect(names(row)).toEqual(['release-notes']));
    expect(document.activeElement).toBe(field());
    await userEvent.click(screen.getByRole('button', { name: 'Deactivate release-notes' }));
    await waitFor(() => expect(row.isConnected).toBe(false));
    expect(writes.map(({ line }) => line)).toEqual([
      `DELETE /api/conversations/${id}/skills/meeting-notes`,
      `DELETE /api/conversations/${id}/skills/release-notes`,
    ]);
  });

  it('offer to update a skill that has changed, with the next message', async () => {
    const activeSkills = [{ ...skill('meeting-notes'), isOutdated: true }, skill('release-notes')];
    const { name, ...facts } = { ...skill('meeting-notes'), checksum: 'd' };
    const writes = renderChat(() => ({ ...quietConversation, activeSkills }), {
      [`POST /api/apps/chat/chat/${id}`]: () =>
        eventStream(
          {
            type: 'session.start',
            conversationId: id,
            messageId: id.replace(/..$/, '02'),
            userMessageId: id.replace(/..$/, '01'),
            model: 'house',
            activeSkills: ['meeting-notes', 'release-notes'],
          },
          { type: 'skill.ended', name, reason: 'changed' },
          { type: 'skill.activation', name, ...facts },
          { type: 'done', finishReason: 'stop' },
        ),
    });
    const row = await activeRow();
    const [outdated, current] = within(row).getAllByRole('listitem');
    expect(outdated?.textContent).toContain('Updated');
    expect(current?.textContent).not.toContain('Updated');

    const renew = screen.getByRole('button', { name: 'Update: meeting-notes' });
    renew.focus();
    await userEvent.keyboard('{Enter}');
    expect(document.activeElement).toBe(field());
    const picked = screen.getByRole('list', { name: 'Skills for this message' });
    expect(names(picked)).toEqual(['meeting-notes']);
    expect(names(row)).toEqual(['release-notes']);

    await userEvent.keyboard('Go on.{Enter}');
    await waitFor(() => expect(names(row)).toEqual(['release-notes', 'meeting-notes']));
    expect(within(row).queryByText('Updated')).toBeNull();
    expect(writes[0]?.body).toMatchObject({ message: 'Go on.', skills: ['meeting-notes'] });
  });

  it('are marked as soon as an answer reports that a skill has changed', async () => {
    const activeSkills = [skill('meeting-notes'), { ...skill('release-notes'), isOutdated: true }];
    renderChat(() => ({ ...quietConversation, activeSkills }), {
      [`POST /api/apps/chat/chat/${id}`]: () =>
        eventStream(
          {
            type: 'session.start',
            conversationId: id,
            messageId: id.replace(/..$/, '02'),
            userMessageId: id.replace(/..$/, '01'),
            model: 'house',
            activeSkills: ['meeting-notes', 'release-notes'],
          },
          { type: 'skill.outdated', name: 'meeting-notes', isOutdated: true },
          { type: 'chunk', content: 'Well.' },
          { type: 'done', finishReason: 'stop' },
        ),
    });
    const row = await activeRow();
    await userEvent.type(field(), 'Go on.{Enter}');
    await screen.findByText('Well.');
    const [changed, restored] = within(row).getAllByRole('listitem');
    expect(changed?.textContent).toContain('Updated');
    expect(restored?.textContent).not.toContain('Updated');
  });

  it('disappear when a skill is switched off, and return when it is switched on', async () => {
    const activeSkills = [skill('meeting-notes'), skill('release-notes')];
    const offered = ({ name, description }: ReturnType<typeof skill>) => ({
      ...{ name, displayName: name, description, userInvocable: true },
      ...{ tags: [], requiresTools: [] },
    });
    const items = [...activeSkills, skill('spreadsheet-review')].map(offered);
    renderChat(() => ({ ...quietConversation, activeSkills }), {
      'GET /api/skills': { items, total: 3 },
    });
    const row = await activeRow();
    await userEvent.click(screen.getByRole('button', { name: 'Skills in this conversation' }));
    const toggle = await screen.findByRole('switch', { name: 'Allow meeting-notes' });
    const used = screen.getAllByText('active').map((mark) => mark.parentElement?.textContent);
    expect(used).toEqual(['meeting-notesactive', 'release-notesactive']);
    await userEvent.click(toggle);
    await waitFor(() => expect(names(row)).toEqual(['release-notes']));
    await userEvent.click(toggle);
    await waitFor(() => expect(names(row)).toEqual(['meeting-notes', 'release-notes']));
  });

  it('return if the next message does not deactivate them after all', async () => {
    const activeSkills = [{ ...skill('meeting-notes'), isOutdated: true }];
    renderChat(() => ({ ...quietConversation, activeSkills }));
    await userEvent.click(await screen.findByRole('button', { name: 'Update: meeting-notes' }));
    await userEvent.click(screen.getByRole('button', { name: 'Remove meeting-notes' }));
    expect((await activeRow()).textContent).toContain('meeting-notes');
  });
});
