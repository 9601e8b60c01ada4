import type { AdminDiagnostic } from '@knowhow/shared/skills/admin-skill';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { renderApp } from '../testing/render-app.tsx';
import { DiagnosticsList } from './diagnostics-list.tsx';

const field = (line: number): AdminDiagnostic => ({
  code: 'planted-field',
  severity: 'info',
  message: `Field on ${line}.`,
  line,
  fix: 'Move it.',
  fixable: true,
});
const missing: AdminDiagnostic = {
  code: 'description-missing',
  severity: 'error',
  message: 'There is no description.',
  fixable: false,
};

describe('a list of diagnostics', () => {
  it('lists errors first, each with a fix', () => {
    renderApp(<DiagnosticsList diagnostics={[field(3), missing]} />);
    const [first, second] = screen.getAllByRole('listitem');
    expect(first?.textContent).toContain('Error There is no description');
    expect(second?.textContent).toContain('Note Field on 3. Line 3Move it.');
  });

  it('is in German, with English as the fallback', () => {
    const { fix, fixable } = field(3);
    const shortened: AdminDiagnostic = {
      code: 'name-missing',
      severity: 'warning',
      text: 'name-missing-folder',
      message: 'There is no name.',
      fixText: 'name-add',
      fix: 'Add "name: a".',
      values: { name: 'a' },
      fixable,
    };
    const ofFile: AdminDiagnostic = {
      code: 'hidden-characters',
      severity: 'warning',
      message: 'notes/a.txt: It holds.',
      file: 'notes/a.txt',
      fix: 'Remove them.',
      fixable,
    };
    const newer: AdminDiagnostic = {
      code: 'of-a-newer-server',
      severity: 'info',
      message: 'Something new.',
      fix: fix ?? '',
      fixable,
    };
    renderApp(<DiagnosticsList diagnostics={[shortened, ofFile, newer]} />, {}, 'de');
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Warnung Es gibt keinen Namen; der des Ordners, „a“, wird verwendet. Fügen Sie „name: a“ hinzu.',
      'Warnung notes/a.txt: Es gibt unsichtbare Zeichen oder solche, die die Schreibrichtung ändern. Entfernen Sie sie, wenn die Sprache sie nicht braucht.',
      'Hinweis Something new. Move it.',
    ]);
  });

  it('has one fix button per kind, and none for manual fixes', async () => {
    const onFix = vi.fn();
    renderApp(<DiagnosticsList diagnostics={[field(3), missing, field(4)]} onFix={onFix} />);
    const buttons = screen.getAllByRole('button');
    expect(buttons.map(({ textContent }) => textContent)).toEqual(['Fix all 2']);
    await userEvent.click(screen.getByRole('button', { name: 'Fix all 2' }));
    expect(onFix).toHaveBeenCalledExactlyOnceWith('planted-field');
  });

  it('links to the line', async () => {
    const onShowLine = vi.fn();
    renderApp(<DiagnosticsList diagnostics={[field(12)]} onShowLine={onShowLine} />);
    await userEvent.click(screen.getByRole('button', { name: 'Line 12' }));
    expect(onShowLine).toHaveBeenCalledExactlyOnceWith(12);
  });
});
