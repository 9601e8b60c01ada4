import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { houseModel, housesApp, quietConversation, renderChat } from '../testing/render-chat.tsx';

const withoutTools = (bringsSkills: boolean) => ({
  'GET /api/apps': { items: [{ ...housesApp, bringsSkills }], total: 1 },
  'GET /api/models': { items: [{ ...houseModel, supportsTools: false }], total: 1 },
});
const advice = 'This model cannot choose skills on its own. Choose one with /.';

it('asks users to choose skills if the model cannot, and the app provides none', async () => {
  renderChat(() => quietConversation, withoutTools(false));
  expect(await screen.findByText(advice)).toBeTruthy();
});

it('does not ask if skills are chosen for the model', async () => {
  renderChat(() => quietConversation, withoutTools(true));
  await screen.findByRole('button', { name: 'Choose a model: House model' });
  expect(screen.queryByText(advice)).toBeNull();
});
