/**
 * Shows a dialog above everything, and gives the focus back to where it was, however the dialog goes away.
 *
 * @param first Finds what is read first; without it the browser chooses.
 */
export function modal(first: string | null = null): (dialog: HTMLDialogElement) => () => void {
  return (dialog) => {
    const before = document.activeElement;
    dialog.showModal();
    if (first !== null) dialog.querySelector<HTMLElement>(first)?.focus();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  };
}
