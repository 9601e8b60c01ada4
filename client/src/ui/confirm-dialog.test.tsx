import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { renderApp } from '../testing/render-app.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';

function show(typed?: string) {
  const onConfirm = vi.fn();
  renderApp(
    <ConfirmDialog
      title="Delete it?"
      opened
      onClose={() => undefined}
      onConfirm={onConfirm}
      confirmLabel="Delete"
      typed={typed}
    >
      <p>Two files.</p>
    </ConfirmDialog>,
  );
  return { onConfirm, user: userEvent.setup() };
}

describe('a confirm dialog', () => {
  it('requires typing the name before a destructive action', async () => {
    const { user, onConfirm } = show('pdf');
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' });
    await user.type(screen.getByRole('textbox'), 'pd{Enter}');
    expect(button.disabled).toBe(true);
    expect(onConfirm).not.toHaveBeenCalled();
    await user.type(screen.getByRole('textbox'), 'f{Enter}');
    expect(onConfirm).toHaveBeenCalledOnce();
  });

  it('requires nothing for other actions', async () => {
    const { user, onConfirm } = show();
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    expect(onConfirm).toHaveBeenCalledOnce();
  });
});
