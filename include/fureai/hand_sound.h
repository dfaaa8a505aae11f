// Fureai hand: the numbers of a hand's sound, for every synthesiser of it. fr_hand_voice renders by them, and
// tools/protocol_text writes them for the viewer. Hertz, seconds, metres; levels are parts of full scale.
#ifndef FUREAI_HAND_SOUND_H
#define FUREAI_HAND_SOUND_H

// ---------------------------------------------------------------------------------------------------------------
// All sounds

#define FR_HAND_SOUND_VOLUME 0.5      // of all sounds, unless set otherwise
#define FR_HAND_SOUND_HOLD 0.1        // sliding and pulling go on so long after their last event
#define FR_HAND_SOUND_DEAD_AFTER 12.0 // time constants until a sound is below half a step of 16 bits
#define FR_HAND_SOUND_FULL_SPEED 0.3  // metres a second: 0 dB
#define FR_HAND_SOUND_FAINTEST 0.0625 // -24 dB: the level of every slower event

// Tones that ring have partials: frequency over that of the tone, part of its level, and seconds until 1 / e is left.

// ---------------------------------------------------------------------------------------------------------------
// Contact: contacts of one moment are one click

#define FR_HAND_CONTACT_PAUSE 0.01
#define FR_HAND_CONTACT_FREQUENCY 500.0
#define FR_HAND_CONTACT_LEVEL 0.5
#define FR_HAND_CONTACT_PARTIALS                                                                                       \
    { 1.0, 1.0, 0.015 }

// ---------------------------------------------------------------------------------------------------------------
// Snap: a large face sounds low, a second and a third one 3 and 7 semitones higher

#define FR_HAND_SNAP_FREQUENCY 400.0 // of a face of this area:
#define FR_HAND_SNAP_AREA 0.0049     // square metres
#define FR_HAND_SNAP_LOWEST 200.0
#define FR_HAND_SNAP_HIGHEST 2000.0
#define FR_HAND_SNAP_SECOND 1.189207115002721 // times the frequency
#define FR_HAND_SNAP_THIRD 1.4983070768766815
#define FR_HAND_SNAP_PARTIALS                                                                                          \
    {1.0, 4.0 / 7.0, 0.06}, {2.3, 2.0 / 7.0, 0.06}, { 3.9, 1.0 / 7.0, 0.06 }

// ---------------------------------------------------------------------------------------------------------------
// Slide: a band of noise

#define FR_HAND_SLIDE_SPEED 0.002     // metres a second: slower is silent
#define FR_HAND_SLIDE_LEVEL 0.1       // root of the mean square at 0 dB
#define FR_HAND_SLIDE_WIDTH 0.5       // of the band, over its centre
#define FR_HAND_SLIDE_SMOOTH 0.005    // time constant of the level
#define FR_HAND_SLIDE_FREQUENCY 300.0 // centre of the band at rest
#define FR_HAND_SLIDE_RISE 4000.0     // more for each metre a second
#define FR_HAND_SLIDE_HIGHEST 8000.0

// ---------------------------------------------------------------------------------------------------------------
// Pull: clicks, more and more of them

#define FR_HAND_PULL_FROM 0.5  // part of the distance at which the face comes off: silent below it
#define FR_HAND_PULL_RATE 2.0  // clicks a second there
#define FR_HAND_PULL_RISE 26.0 // more for the whole distance
#define FR_HAND_PULL_FREQUENCY 1500.0
#define FR_HAND_PULL_LEVEL 0.25
#define FR_HAND_PULL_PARTIALS                                                                                          \
    { 1.0, 1.0, 0.008 }

// ---------------------------------------------------------------------------------------------------------------
// Release: a chirp that falls

#define FR_HAND_RELEASE_FIRST 600.0
#define FR_HAND_RELEASE_LAST 200.0
#define FR_HAND_RELEASE_SECONDS 0.08
#define FR_HAND_RELEASE_LEVEL 0.5

// ---------------------------------------------------------------------------------------------------------------
// Done and fitted: two notes, the second one later

#define FR_HAND_DONE_FIRST 600.0
#define FR_HAND_DONE_SECOND 800.0
#define FR_HAND_DONE_LATER 0.15
#define FR_HAND_DONE_LEVEL 0.4
#define FR_HAND_DONE_PARTIALS                                                                                          \
    { 1.0, 1.0, 0.1 }

#define FR_HAND_FITTED_FIRST 880.0
#define FR_HAND_FITTED_SECOND 1320.0
#define FR_HAND_FITTED_LATER 0.12
#define FR_HAND_FITTED_LEVEL 0.6
#define FR_HAND_FITTED_PARTIALS                                                                                        \
    {1.0, 0.5, 0.5}, {2.0, 0.2, 0.35}, {2.4, 0.2, 0.25}, { 3.8, 0.1, 0.12 }

#endif
