import type { SkillTranslations } from '@knowhow/shared/skills/skill-translations';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderWithServer } from '../../testing/render-with-server.tsx';
import { TranslationFields } from './translation-fields.tsx';

const model = (id: string, provider: string) => ({
  ...{ id, provider, name: id.toUpperCase(), description: '' },
  ...{ supportsTools: true, supportsVision: false, default: false },
});

function Fields() {
  const [value, setValue] = useState<SkillTranslations>({
    title: { de: 'Rechnungen' },
    description: {},
  });
  return (
    <TranslationFields
      original={{ title: 'Invoices', description: 'Bills clients.' }}
      value={value}
      onChange={setValue}
    />
  );
}

function show(models: object[]) {
  const sent = renderWithServer(<Fields />, {
    'GET /api/models': { items: models, total: models.length },
    'POST /api/skill-translation': { description: 'Stellt Rechnungen.' },
  });
  return { sent, user: userEvent.setup() };
}

it('puts the missing text that a model suggests into the form', async () => {
  const { sent, user } = show([model('demo', 'demo'), model('gpt', 'openai')]);
  await user.click(await screen.findByRole('button', { name: 'Suggest a translation' }));
  await user.click(await screen.findByRole('button', { name: 'Translate' }));
  const description = screen.getByLabelText<HTMLTextAreaElement>('Description');
  await waitFor(() => expect(description.value).toBe('Stellt Rechnungen.'));
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Rechnungen');
  expect(sent.find(({ line }) => line.startsWith('POST'))?.body).toEqual({
    ...{ model: 'gpt', language: 'de', description: 'Bills clients.' },
  });
  expect(screen.queryByRole('button', { name: 'Suggest a translation' })).toBeNull();
});

it('says that the demo model cannot translate', async () => {
  const { user } = show([model('demo', 'demo')]);
  await user.click(await screen.findByRole('button', { name: 'Suggest a translation' }));
  expect(await screen.findByText(/demo model cannot translate/)).toBeTruthy();
});
