// Keeps the keyboard near when the element that has it goes away with a change: `instead` takes it over. To be called
// while a component is made.
export function keepFocus(
  inside: () => HTMLElement | undefined,
  watched: () => unknown, // what the change hangs on
  instead: () => void,
): void {
  let had = false;
  $effect.pre(() => {
    watched();
    had = inside()?.contains(document.activeElement) ?? false;
  });
  $effect(() => {
    watched();
    if (had && !inside()?.contains(document.activeElement)) instead();
  });
}
