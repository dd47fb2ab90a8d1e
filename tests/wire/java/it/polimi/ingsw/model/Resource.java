package it.polimi.ingsw.model;

public enum Resource { COINS, STONES, SERVANTS, SHIELDS }
