import { Button } from '@mantine/core';
import { TextBlock } from '../text/text-block.tsx';
import classes from './dialog-form.module.css';

export interface ShownOnceProps {
  label: string;
  text: string;
  /** Explains that it is not shown again, and what to do with it. */
  about: string;
  /** The button's label. */
  done: string;
  onDone: () => void;
}

/** A new secret, shown only once. */
export function OneTimeSecret({ label, text, about, done, onDone }: ShownOnceProps) {
  return (
    <div className={classes.form}>
      <TextBlock label={label} text={text} />
      <p className={classes.about}>{about}</p>
      <div className={classes.actions}>
        <Button onClick={onDone} autoFocus>
          {done}
        </Button>
      </div>
    </div>
  );
}
