import type { ToolCall } from '@knowhow/shared/chat/conversations';
import { screen } from '@testing-library/react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { expect, it } from 'vitest';
import { renderApp } from '../../../testing/render-app.tsx';
import { SourceCallLine } from './source-call-line.tsx';

function InGerman({ call }: { call: ToolCall }) {
  const { i18n } = useTranslation();
  useEffect(() => void i18n.changeLanguage('de'), [i18n]);
  return <SourceCallLine call={call} at={{ messageId: 'm', number: 0 }} />;
}

it.each([
  ['a built-in tool by its key', { toolKey: 'calculate' }, 'Rechner', '· Knowhow'],
  ['a tool of a server by its title', {}, 'Calculator', '· Knowhow'],
  ['a tool that only a newer server has', { toolKey: 'draw' }, 'Calculator', '· Knowhow'],
  [
    'a source by its key',
    { toolKey: 'run_skill_script', sourceKey: 'scripts' as const },
    'Skript ausführen',
    '· Skripte',
  ],
])('names %s in German', async (_, keys, title, source) => {
  const call = { id: '1', name: 'calculate', input: {}, error: false, summary: '' };
  renderApp(<InGerman call={{ ...call, title: 'Calculator', source: 'Knowhow', ...keys }} />);
  expect(await screen.findByText(title)).toBeTruthy();
  expect(await screen.findByText(source)).toBeTruthy();
});
