import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { eventStream } from '../testing/event-stream.ts';
import { quietConversation } from '../testing/render-chat.tsx';
import { renderShell } from '../testing/render-shell.tsx';

const { id } = quietConversation;

it('shows the generated title after the first answer', async () => {
  let title = 'What do herons do?';
  const stored = () => ({ ...quietConversation, title });
  renderShell({
    'GET /api/conversations': () => ({ items: [stored()], total: 1 }),
    [`GET /api/conversations/${id}`]: stored,
    [`GET /api/conversations/${id}/title`]: () => {
      title = 'Herons in winter';
      return { title };
    },
    [`POST /api/apps/chat/chat/${id}`]: () =>
      eventStream(
        {
          ...{ type: 'session.start', conversationId: id, model: 'house', activeSkills: [] },
          messageId: id.replace(/..$/, '01'),
          userMessageId: id.replace(/..$/, '02'),
        },
        { type: 'chunk', content: 'They fly.' },
        { type: 'done', finishReason: 'stop' },
      ),
  });
  await userEvent.click(await screen.findByRole('link', { name: 'What do herons do?' }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Message' }), 'Well?{Enter}');
  expect(await screen.findByRole('link', { name: 'Herons in winter' })).toBeTruthy();
  expect(await screen.findByText('They fly.')).toBeTruthy();
  expect(document.title).toBe('Herons in winter · Knowhow');
});
