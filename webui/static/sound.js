"use strict";
// A short tone with every ruling, if somebody has switched it on: rising when allowed, falling when not.
(() => {
  const TONES_HZ = {
    legal: [523, 784], agreed: [523, 784], right: [523, 784], corrected: [523, 784],
    illegal: [330, 220], unclear: [440, 440], unset: [440, 440], error: [440, 330],
  };
  const EACH_S = 0.14;
  let speaker = null;
  let heard = null;

  function play(tones) {
    speaker ??= new AudioContext();
    speaker.resume?.();
    tones.forEach((hertz, place) => {
      const tone = speaker.createOscillator();
      const loudness = speaker.createGain();
      const from = speaker.currentTime + place * EACH_S;
      tone.frequency.value = hertz;
      loudness.gain.setValueAtTime(0.0001, from);
      loudness.gain.exponentialRampToValueAtTime(0.2, from + 0.02);
      loudness.gain.exponentialRampToValueAtTime(0.0001, from + EACH_S);
      tone.connect(loudness).connect(speaker.destination);
      tone.start(from);
      tone.stop(from + EACH_S);
    });
  }

  document.addEventListener("shown", ({ detail }) => {
    const ruling = `${detail.count}: ${detail.announce}`;
    const isNew = heard !== null && heard !== ruling;
    heard = ruling;
    if (isNew && document.documentElement.dataset.sound === "on" && TONES_HZ[detail.kind]) play(TONES_HZ[detail.kind]);
  });
  document.getElementById("sound")?.addEventListener("change", (event) => { if (event.target.checked) play(TONES_HZ.legal); });
})();
