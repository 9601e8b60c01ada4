import type { ToolCall } from '@knowhow/shared/chat/conversations';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderApp } from '../../../testing/render-app.tsx';
import { SourceCallLine } from './source-call-line.tsx';

it('shows the pictures that a call created, and offers every file for download', async () => {
  const call: ToolCall = {
    ...{ id: 'call', name: 'run_skill_script', input: {}, error: false, summary: '' },
    ...{ title: 'Run script', source: 'Scripts' },
    files: [
      { id: 'f1', name: 'charts/sales.png', type: 'image/png', size: 2400 },
      { id: 'f2', name: 'sales.csv', type: 'text/plain; charset=utf-8', size: 10 },
    ],
  };
  renderApp(<SourceCallLine call={call} at={{ messageId: 'm', number: 0 }} />);
  const picture = await screen.findByRole('img', { name: 'charts/sales.png' });
  expect(picture.getAttribute('src')).toBe('/api/files/f1');
  const link = screen.getByRole('link', { name: /^sales\.csv · / });
  expect(link.getAttribute('href')).toBe('/api/files/f2');
  expect(link.getAttribute('download')).toBe('sales.csv');
  expect(screen.getAllByRole('link')).toHaveLength(2);
});
