import { type DragEvent, useState } from 'react';

/** Drag-and-drop reordering: the props of each row, by name and index. */
export function useDragOrder(move: (name: string, to: number) => void) {
  const [dragged, setDragged] = useState<string>();
  const [over, setOver] = useState<string>();

  function end() {
    setDragged(undefined);
    setOver(undefined);
  }

  return (name: string, index: number) => ({
    draggable: true,
    'data-dragged': name === dragged || undefined,
    'data-over': (name === over && name !== dragged) || undefined,
    onDragStart: (event: DragEvent) => {
      // Firefox does not start a drag without data.
      event.dataTransfer.setData('text/plain', name);
      setDragged(name);
    },
    onDragOver: (event: DragEvent) => {
      if (dragged !== undefined) {
        event.preventDefault();
        setOver(name);
      }
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      if (dragged !== undefined) {
        move(dragged, index);
      }
      end();
    },
    onDragEnd: end,
  });
}
