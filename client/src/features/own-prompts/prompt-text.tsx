import classes from './own-prompts.module.css';

interface PromptTextProps {
  name: string;
  text: string;
  /** With whom it is shared, or by whom. */
  note: string;
}

/** What a prompt is called, and how it begins. */
export function PromptText({ name, text, note }: PromptTextProps) {
  return (
    <div className={classes.words}>
      <p className={classes.name}>{name}</p>
      <p className={classes.text}>{text.slice(0, 300)}</p>
      {note && <p className={classes.note}>{note}</p>}
    </div>
  );
}
