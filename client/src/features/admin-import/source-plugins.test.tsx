import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderApp } from '../../testing/render-app.tsx';
import { SourcePlugins } from './source-plugins.tsx';

it('offers the models of a source, and adds one, switched off, on request', async () => {
  const model = {
    ...{ id: 'opus', name: 'opus', provider: 'anthropic', modelId: 'claude-3' },
    ...{ apiKeyEnv: 'CLAUDE_API_KEY', enabled: false as const },
  };
  const plugin = { name: 'models.json', folder: 'a', skills: 0, left: [], models: [model] };
  renderApp(<SourcePlugins plugins={[plugin]} />);
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_address: string, { method, body }: RequestInit = {}) => {
    if (method === 'PUT') {
      sent.push(JSON.parse(String(body)));
    }
    return sent.length > 0
      ? Response.json({ id: 'opus', path: 'models/opus.json', text: '', checksum: 'c' })
      : Response.json({ code: 'not-found', detail: 'None.' }, { status: 404 });
  });
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'models.json: one model' }));
  expect(screen.getByText(/claude-3 · CLAUDE_API_KEY/)).toBeTruthy();
  await vi.waitFor(() =>
    expect(screen.getByRole('button', { name: /Add model opus/ })).toHaveProperty(
      'disabled',
      false,
    ),
  );
  await user.click(screen.getByRole('button', { name: /Add model opus/ }));
  expect(await screen.findByText('Added, switched off')).toBeTruthy();
  expect(sent).toEqual([model]);
});
