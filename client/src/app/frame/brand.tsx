import classes from './brand.module.css';

export function Brand() {
  return (
    <span className={classes.brand}>
      <img src="/favicon.svg" alt="" width={24} height={24} />
      <span>Knowhow</span>
    </span>
  );
}
