/** A promise resolved by the test. */
export interface Gate {
  passed: Promise<void>;
  open: () => void;
}

export function openGate(): Gate {
  let open = () => {};
  const passed = new Promise<void>((done) => {
    open = done;
  });
  return { passed, open };
}
