import type { ReactNode } from 'react';
import { SortButton, type Sorted } from '../sort-button.tsx';
import classes from './card-table.module.css';
import rowClasses from './row-table.module.css';

export interface Column<Row> {
  /** The column's heading, also shown before the value on a card. */
  label: string;
  render: (row: Row) => ReactNode;
  /** Numbers are right-aligned. */
  isNumber?: boolean;
  /** Sorts by the column, or reverses the direction. */
  onSort?: () => void;
  sorted?: Sorted;
}

/** A numeric column. */
export function numbers<Row>(label: string, render: (row: Row) => ReactNode): Column<Row> {
  return { label, render, isNumber: true };
}

interface CardTableProps<Row> {
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The row's head; a link or button in it covers the whole row. */
  head: Column<Row>;
  columns: readonly Column<Row>[];
  /** Actions at the end of a row. */
  action?: Column<Row>;
}

/** A table whose rows become cards on a phone. */
export function CardTable<Row>(props: CardTableProps<Row>) {
  const { label, rows, keyOf, head, columns, action } = props;
  return (
    <table className={`${rowClasses.table} ${classes.table}`} aria-label={label}>
      <thead>
        <tr>
          {[head, ...columns].map((column) => (
            <th
              key={column.label}
              scope="col"
              data-number={column.isNumber}
              aria-sort={column.sorted}
            >
              {column.onSort ? (
                <SortButton onSort={column.onSort} sorted={column.sorted}>
                  {column.label}
                </SortButton>
              ) : (
                column.label
              )}
            </th>
          ))}
          {action && (
            <th className={classes.action} scope="col">
              {action.label}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            <th scope="row">{head.render(row)}</th>
            {columns.map((column) => {
              const value = column.render(row);
              return (
                <td key={column.label} data-number={column.isNumber} data-empty={!value}>
                  <span className={classes.label} aria-hidden>
                    {column.label}
                  </span>
                  {value}
                </td>
              );
            })}
            {action && <td className={classes.action}>{action.render(row)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
