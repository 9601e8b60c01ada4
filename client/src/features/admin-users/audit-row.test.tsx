import type { AuditEntry } from '@knowhow/shared/config/admin';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderApp } from '../../testing/render-app.tsx';
import { AuditRow } from './audit-row.tsx';

const entry: AuditEntry = {
  id: '1',
  at: '2026-03-01T10:00:00.000Z',
  userId: 'address:192.0.2.7',
  userName: '192.0.2.7',
  action: 'sign-in-refused',
  kind: 'session',
  target: 'ann',
  before: null,
  after: { reason: 'too-many-requests', attempts: 12 },
};

describe('an entry of the audit log', () => {
  it('says at once why and how often a sign-in was refused', () => {
    renderApp(<AuditRow entry={entry} kindName="Sign-in" />);
    expect(screen.getByText('too many attempts · 12 times')).toBeTruthy();
    expect(screen.queryByText(/What changed/)).toBeNull();
  });

  it('says from where somebody has signed in', () => {
    const signedIn = { ...entry, action: 'signed-in', after: { address: '192.0.2.7' } };
    renderApp(<AuditRow entry={signedIn} kindName="Sign-in" />);
    expect(screen.getByText('from 192.0.2.7')).toBeTruthy();
  });

  it('says with which provider, and why, sessions have ended that nobody here has ended', () => {
    const after = { provider: 'main', reason: 'not-allowed', sessions: 2 };
    renderApp(<AuditRow entry={{ ...entry, action: 'ended', after }} kindName="Sign-in" />);
    const text = 'with main · the rule of who may come in says no · 2 sessions';
    expect(screen.getByText(text)).toBeTruthy();
  });
});
