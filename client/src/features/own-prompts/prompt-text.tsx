import classes from './own-prompts.module.css';

interface PromptTextProps {
  name: string;
  text: string;
  /** Groups it is shared with, or its owner. */
  note: string;
}

/** The name and the beginning of a prompt. */
export function PromptText({ name, text, note }: PromptTextProps) {
  return (
    <div className={classes.words}>
      <p className={classes.name}>{name}</p>
      <p className={classes.text}>{text.slice(0, 300)}</p>
      {note && <p className={classes.note}>{note}</p>}
    </div>
  );
}
