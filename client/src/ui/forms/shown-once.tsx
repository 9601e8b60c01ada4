import { Button } from '@mantine/core';
import { TextBlock } from '../text/text-block.tsx';
import classes from './dialog-form.module.css';

export interface ShownOnceProps {
  label: string;
  text: string;
  /** That it is not shown again, and what to do with it. */
  about: string;
  /** What the button says. */
  done: string;
  onDone: () => void;
}

/** A secret that has just been made: the only time that anybody sees it. */
export function ShownOnce({ label, text, about, done, onDone }: ShownOnceProps) {
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
