import { configure, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { renderWithServer } from '../../testing/render-with-server.tsx';
import { noRunner, runnerFacts } from '../../testing/runner-facts.ts';
import { RunnerSection } from './runner-section.tsx';

configure({ asyncUtilTimeout: 8000 });

const remote = runnerFacts({ tier: 'remote', keepsCopies: true });
const lastSync = {
  ...{ at: '2026-03-15T10:00:00Z', synced: 2, removed: 1 },
  errors: [{ skill: 'pdf', message: 'The disk is full.' }],
};
const region = () => screen.findByRole('region', { name: 'Skill scripts' });

describe('the runner', () => {
  it('shows its type, status and languages', async () => {
    renderWithServer(<RunnerSection />, {
      'GET /api/admin/runner': { ...remote, status: 'away' },
    });
    const section = within(await region());
    expect(await section.findByText('Unreachable')).toBeTruthy();
    expect(section.getByText('Remote runner')).toBeTruthy();
    expect(section.getByText(/Python 3\.11\.2/)).toBeTruthy();
  });

  it('synchronises its copies on request, and shows the result', async () => {
    let state = remote;
    const writes = renderWithServer(<RunnerSection />, {
      'GET /api/admin/runner': () => state,
      'POST /api/admin/runner/sync': () => {
        state = { ...remote, lastSync };
        return lastSync;
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Sync now' }));
    expect(await screen.findByText(/2 skills sent · 1 removed · 1 error/)).toBeTruthy();
    const errors = screen.getByRole('list', { name: 'Errors of the last synchronisation' });
    expect(errors.textContent).toBe('pdf The disk is full.');
    expect(writes.map(({ line }) => line)).toEqual(['POST /api/admin/runner/sync']);
  });

  it('shows the progress', async () => {
    renderWithServer(<RunnerSection />, {
      'GET /api/admin/runner': { ...remote, syncing: { done: 3, total: 8 } },
    });
    expect((await screen.findByText('3 of 8 skills')).closest('[role=status]')).toBeTruthy();
  });

  it('offers no synchronisation without copies', async () => {
    renderWithServer(<RunnerSection />, { 'GET /api/admin/runner': runnerFacts() });
    expect(await screen.findByText('Ready')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Sync now' })).toBeNull();
  });

  it('shows what a ready container runner lacks', async () => {
    const warnings = ['The image "node:22-slim" is not there.'];
    renderWithServer(<RunnerSection />, {
      'GET /api/admin/runner': runnerFacts({ tier: 'container', warnings }),
    });
    const section = within(await region());
    expect(await section.findByText('A container for each script')).toBeTruthy();
    expect(section.getByText('The image "node:22-slim" is not there.')).toBeTruthy();
  });

  it('explains how to set one up', async () => {
    renderWithServer(<RunnerSection />, { 'GET /api/admin/runner': noRunner });
    expect(await screen.findByText('SCRIPT_RUNNER=auto')).toBeTruthy();
  });
});
