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
  it('shows why and how often a sign-in was denied', () => {
    renderApp(<AuditRow entry={entry} kindName="Sign-in" />);
    expect(screen.getByText('too many attempts · 12 times')).toBeTruthy();
    expect(screen.queryByText(/fields? changed/)).toBeNull();
  });

  it('shows whose access was denied to what, and why', () => {
    const denied: AuditEntry = {
      ...{ ...entry, kind: 'access', action: 'access-denied', target: 'GET /api/admin/users' },
      after: { address: '192.0.2.7', reason: 'forbidden' },
    };
    renderApp(<AuditRow entry={denied} kindName="Access" />);
    expect(screen.getByText('GET /api/admin/users')).toBeTruthy();
    expect(screen.getByText('access denied')).toBeTruthy();
    expect(screen.getByText('from 192.0.2.7 · missing permission')).toBeTruthy();
  });

  it('shows how often access was denied after the first times', () => {
    const more: AuditEntry = {
      ...{ ...entry, kind: 'access', action: 'access-denied-more', target: '*' },
      after: { address: '*', attempts: 1200, reasons: { forbidden: 1000, 'not-found': 200 } },
    };
    renderApp(<AuditRow entry={more} kindName="Access" />);
    expect(
      screen.getByText(
        'from several addresses · and 1,200 more · missing permission: 1,000 · not found or hidden: 200',
      ),
    ).toBeTruthy();
  });

  it('shows the address of a sign-in', () => {
    const signedIn = { ...entry, action: 'signed-in', after: { address: '192.0.2.7' } };
    renderApp(<AuditRow entry={signedIn} kindName="Sign-in" />);
    expect(screen.getByText('from 192.0.2.7')).toBeTruthy();
  });

  it('shows the provider and the reason of sessions that ended remotely', () => {
    const after = { provider: 'main', reason: 'not-allowed', sessions: 2 };
    renderApp(<AuditRow entry={{ ...entry, action: 'ended', after }} kindName="Sign-in" />);
    const text = 'with main · denied by access policy · 2 sessions';
    expect(screen.getByText(text)).toBeTruthy();
  });
});
