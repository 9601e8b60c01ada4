import type { ToolCall } from '@knowhow/shared/chat/conversations';
import { screen } from '@testing-library/react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { expect, it } from 'vitest';
import { renderApp } from '../../testing/render-app.tsx';
import { ToolCallLine } from './tool-call-line.tsx';

function InGerman({ call }: { call: ToolCall }) {
  const { i18n } = useTranslation();
  useEffect(() => void i18n.changeLanguage('de'), [i18n]);
  return <ToolCallLine call={call} />;
}

it.each([
  [
    'activate_skill',
    { skill_name: 'pdf' },
    'not available',
    'pdf konnte nicht aktiviert werden · nicht verfügbar',
  ],
  [
    'activate_skill',
    {},
    'wrong arguments',
    'Skill aktivieren fehlgeschlagen · ungültige Argumente',
  ],
  [
    'read_skill_resource',
    {},
    'wrong arguments',
    'Skill-Datei lesen fehlgeschlagen · ungültige Argumente',
  ],
  ['list_skills', {}, 'called before', 'Skills auflisten fehlgeschlagen · wiederholter Aufruf'],
  ['search', {}, 'no such tool', 'search fehlgeschlagen · Werkzeug nicht gefunden'],
  ['search', {}, 'constructor', 'search fehlgeschlagen · constructor'],
])('describes a call of %s with %j in German', async (name, input, summary, line) => {
  renderApp(<InGerman call={{ id: '1', name, input, error: true, summary }} />);
  expect(await screen.findByText(line)).toBeTruthy();
});

it('shows the query of a search, and the number of results', async () => {
  const search = { ...{ id: '1', name: 'search_tools', input: {} }, error: false, summary: '10' };
  renderApp(<ToolCallLine call={search} />);
  expect(await screen.findByText('Searched tools · 10 found')).toBeTruthy();
});
