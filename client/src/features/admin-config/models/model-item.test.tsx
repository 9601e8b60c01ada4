import type { ConfigItem } from '@knowhow/shared/config/admin-config';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { renderApp } from '../../../testing/render-app.tsx';
import { ModelItem } from './model-item.tsx';

// Required by autosizing fields, and missing in jsdom.
Object.assign(document, { fonts: new EventTarget() });

const config = { id: 'paid', modelId: 'p', name: 'Paid', provider: 'openai' };
const item: ConfigItem = {
  id: 'paid',
  path: 'contents/models/paid.json',
  config,
  text: JSON.stringify(config),
  checksum: 'first',
};

const providers = [
  { id: 'openai', label: { en: 'Open and alike', de: 'Offen und ähnlich' } },
  { id: 'own', label: 'Our own' },
];

function setUp(state: object, trial: object = {}, fields: Partial<ConfigItem> = {}) {
  const items = [{ id: 'paid', found: false, ...state }];
  const page = { total: 1, limit: 100, offset: 0 };
  renderApp(<ModelItem id="paid" />, {
    '/api/admin/models/paid': { ...item, ...fields },
    '/api/admin/model-providers': { ...page, total: 2, items: providers },
    '/api/admin/model-states': { ...page, items },
    '/api/admin/apps': { ...page, total: 0, items: [] },
    '/api/admin/models/paid/test': { works: false, milliseconds: 3, ...trial },
  });
}

describe('the page of a model', () => {
  it('explains why a key is withheld, and how to allow it', async () => {
    const withheld = { variable: 'OPENAI_API_KEY', host: 'gpu.example' };
    setUp({ needs: 'MODEL_HOSTS=gpu.example', withheld });
    const shown = await screen.findByText(
      /^The key in OPENAI_API_KEY is not sent to gpu\.example\./,
    );
    expect(shown.textContent).toContain('MODEL_HOSTS=gpu.example');
    expect(screen.queryByText(/^Not set/)).toBeNull();
  });

  it("explains why a connection test failed, including the provider's message", async () => {
    setUp({}, { message: 'It refused its key.', reason: '401 bad_org: No such.' });
    await userEvent.click(await screen.findByRole('button', { name: 'Test connection' }));
    expect(await screen.findByText('It refused its key.')).toBeTruthy();
    expect(screen.getByText('The provider says: 401 bad_org: No such.')).toBeTruthy();
  });

  it('offers the providers that the server supports', async () => {
    setUp({});
    const choice = await screen.findByRole('combobox', { name: 'Provider' });
    expect(await within(choice).findByRole('option', { name: 'Our own' })).toBeTruthy();
    const choices = within(choice).getAllByRole('option');
    expect(choices.map(({ textContent }) => textContent)).toEqual(['Open and alike', 'Our own']);
    await userEvent.selectOptions(choice, 'Our own');
    expect(choice).toHaveProperty('value', 'own');
  });

  it('shows errors that only the server can detect at their field', async () => {
    const message = 'Invalid option: expected one of "openai"|"own"';
    setUp(
      {},
      {},
      { config: { ...config, provider: 'gone' }, fault: { field: 'provider', message } },
    );
    const choice = await screen.findByRole('combobox', { name: 'Provider', description: /"own"/ });
    expect(choice).toHaveProperty('value', 'gone');
  });

  it('shows and saves prices', async () => {
    const prices = { input: 3, cachedInput: 0.3, output: 15, currency: 'EUR' };
    setUp({}, {}, { config: { ...config, prices } });
    expect(await screen.findByLabelText('Input')).toHaveProperty('value', '3');
    const cached = screen.getByLabelText('Cached input');
    expect(cached).toHaveProperty('value', '0.3');
    expect(screen.getByLabelText('Currency')).toHaveProperty('value', 'EUR');
    await userEvent.clear(cached);
    await userEvent.type(cached, '0.125');
    expect(cached).toHaveProperty('value', '0.125');
    expect(screen.queryByText('prices.currency')).toBeNull();
  });

  it("reports that the model's server rejects tools, and what to do", async () => {
    setUp({ refusesTools: true });
    expect(await screen.findByRole('heading', { name: 'Rejects tools' })).toBeTruthy();
    expect(screen.getByText(/Switch off “Supports tools” here/)).toBeTruthy();
  });

  it('names the missing variable', async () => {
    setUp({ needs: 'OPENAI_API_KEY' });
    expect(await screen.findByText(/^Not set: OPENAI_API_KEY\./)).toBeTruthy();
    expect(screen.getByLabelText('API key environment variable')).toBeTruthy();
  });
});
