import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderApp } from '../../testing/render-app.tsx';
import { LimitedTextarea } from './limited-textarea.tsx';

function Reason() {
  const [value, setValue] = useState('');
  return (
    <LimitedTextarea
      label="Reason"
      description="For the audit log."
      maxLength={10}
      value={value}
      onChange={(event) => setValue(event.currentTarget.value)}
    />
  );
}

it('says when a field takes no more characters', () => {
  renderApp(<Reason />);
  const field = screen.getByRole('textbox', { name: 'Reason', description: 'For the audit log.' });
  fireEvent.change(field, { target: { value: 'Too much' } });
  expect(screen.queryByRole('status')).toBeNull();
  fireEvent.change(field, { target: { value: 'Ten signs.' } });
  expect(screen.getByRole('status').textContent).toBe(
    'The limit of 10 characters is reached. Longer text is cut off.',
  );
});
