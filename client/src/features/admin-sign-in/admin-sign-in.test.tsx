import type { ClaimTrial, ProviderTest, ShownProvider } from '@knowhow/shared/access/admin-sign-in';
import { configure, fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { refusal, renderWithServer } from '../../testing/render-with-server.tsx';
import { AdminSignIn } from './admin-sign-in.tsx';

// A page with many fields is slow on a busy machine.
configure({ asyncUtilTimeout: 8000 });
// Required by autosizing fields, and missing in jsdom.
Object.assign(document, { fonts: new EventTarget() });

const path = '/api/admin/sign-in';
const main: ShownProvider = {
  ...{ name: 'main', title: 'Company account', issuer: 'https://id.example.org' },
  ...{ clientId: 'knowhow', secretEnv: 'OIDC_MAIN_SECRET', scope: 'openid profile' },
  ...{ groupsAttribute: 'groups', defaultGroups: [], allowsSignup: true, rpInitiatedLogout: false },
  addresses: {
    callback: 'https://own.example.org/callback',
    logout: 'https://own.example.org/out',
  },
};
const broken = { ...main, name: 'gone', title: 'Gone', fault: 'It has no "clientId".' };
const off = { ...main, name: 'off', title: 'Former', fault: 'off', allowsSignup: false };
const test: ProviderTest = { ok: true, ms: 12, offers: ['pkce'], unknownScopes: ['groups'] };
const trial: ClaimTrial = {
  ...{ outcome: 'admitted', name: 'Ann Author', there: { count: 1, first: ['it'] } },
  ...{ groups: ['admins'], isAdmin: true, notes: ['email-not-verified'] },
};

it('the page reports that nothing is configured, or why it cannot load', async () => {
  let isUp = false;
  const empty = { providers: [], mappings: [] };
  const state = () => (isUp ? empty : refusal(403, 'forbidden'));
  renderWithServer(<AdminSignIn />, { [`GET ${path}`]: state });
  const user = userEvent.setup();
  expect(screen.getByRole('status', { name: 'Loading' })).toBeDefined();
  const again = await screen.findByRole('button', { name: 'Try again' });
  isUp = true;
  await user.click(again);
  await screen.findByText('Users sign in with a user name and password');
  expect(screen.queryByRole('textbox')).toBeNull();
});

it('the page lists usable and unusable providers, tests one, and tests the claims mapping', async () => {
  const writes = renderWithServer(<AdminSignIn />, {
    [`GET ${path}`]: {
      providers: [main, broken, off],
      proxy: { title: 'Front door', signed: [], userHeader: 'X-User', isTrusted: false },
      mappings: [{ group: 'admins', name: 'Administrators', names: ['it'] }],
    },
    [`POST ${path}/main/test`]: test,
    [`POST ${path}/main/claims`]: trial,
  });
  const user = userEvent.setup();
  const card = within(await screen.findByRole('article', { name: 'Company account' }));
  card.getByText('https://own.example.org/callback');
  card.getByText('All users of the provider');
  const other = within(screen.getByRole('article', { name: 'Gone' }));
  other.getByText('It has no "clientId".');
  expect(screen.queryByRole('button', { name: 'Test Gone' })).toBeNull();
  within(screen.getByRole('article', { name: 'Former' })).getByText('Off');
  screen.getByText(/^No proxy is trusted\. Set TRUST_PROXY/);
  const link = screen.getByRole('link', { name: 'Administrators' });
  expect(link.getAttribute('href')).toBe('/admin/groups/admins');

  await user.click(card.getByRole('button', { name: 'Test Company account' }));
  await card.findByText('Answered in 12 ms.');
  card.getByText('The provider does not list these scopes: groups.');

  const claims = screen.getByRole('textbox', { name: 'Claims' });
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Test' });
  fireEvent.change(claims, { target: { value: '{"sub": ' } });
  screen.getByText('This is not a valid JSON object.');
  expect(button.disabled).toBe(true);
  fireEvent.change(claims, { target: { value: '{"sub": "ann"}' } });
  await user.click(button);
  await screen.findByText('Access granted.');
  screen.getByText('The email address is not verified, so it is ignored.');
  expect(writes.at(-1)?.body).toEqual({ claims: { sub: 'ann' } });
});
